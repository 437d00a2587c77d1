/** Supported versions of Node. Syntax for any Node, so that an old one can print the refusal. */
'use strict';

/**
 * First minor version of each even major version. Odd versions are refused; newer even versions are
 * accepted.
 */
const FIRST_MINOR = { 20: 19, 22: 12 };

/** @returns {string | null} a sentence for the operator, null for a supported version */
exports.nodeProblem = function nodeProblem(/** @type {string} */ version) {
  const [major, minor] = version.split('.').map(Number);
  const works = major >= 20 && major % 2 === 0 && minor >= (FIRST_MINOR[major] || 0);
  if (works) return null;
  return `PasswordBroker runs on Node 20.19 or newer, 22.12 or newer, 24, 26 and later even versions; this is Node ${version}.`;
};
