import { createRoot } from 'react-dom/client';
import '@passwordbroker/ui/styles/base.css';

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<h1>PasswordBroker</h1>);
