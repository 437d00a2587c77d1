/** Runs other programs for the scripts. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program in the project's root and waits.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, cwd?: string }} [options] `quiet` captures the output and returns it
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program cannot be started
 */
export function run(program, args, { quiet = false, env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a tool of `node_modules/.bin` (`vitest`, `tsc`, …) by its name. */
export function tool(name, args, options) {
  return run(
    process.execPath,
    [fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)), ...args],
    options,
  );
}
