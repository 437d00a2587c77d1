/** The thread that reads a KeePass file and seals it in the caller's name. Keys and plaintext live and end with it. */
