/** Which versions of Node run this program. Written for every Node that reads it, so that an old one can say so. */
'use strict';

/** First minor version that works of each even major one; odd ones end after half a year, and newer even ones are taken as they come. */
const FIRST_MINOR = { 20: 19, 22: 12 };

/** @returns {string | null} a sentence for the operator, null for a version that works */
exports.nodeProblem = function nodeProblem(/** @type {string} */ version) {
  const [major, minor] = version.split('.').map(Number);
  const works = major >= 20 && major % 2 === 0 && minor >= (FIRST_MINOR[major] || 0);
  if (works) return null;
  return `PasswordBroker runs on Node 20.19 or newer, 22.12 or newer, 24, 26 and later even versions; this is Node ${version}.`;
};
