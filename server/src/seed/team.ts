/** The first person is site admin. */
export const TEAM = [
  { key: 'mira', username: 'Mira Okafor', email: 'mira@example.org' },
  { key: 'jonas', username: 'Jonas Lindqvist', email: 'jonas.lindqvist@example.org' },
  { key: 'priya', username: 'Priya Raman', email: 'priya.raman@example.org' },
  { key: 'tomas', username: 'Tomas Silva', email: 'tomas.silva@example.org' },
  { key: 'lucia', username: 'Lucia Marchetti', email: 'lucia.marchetti@example.org' },
  { key: 'wen', username: 'Wen Bao', email: 'wen.bao@example.org' },
] as const;

export type PersonKey = (typeof TEAM)[number]['key'];
