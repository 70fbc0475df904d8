const banner = [
  /^\s*▲ Next\.js/,
  /^\s*-\s+(Local|Network|Environments|Experiments)\b/,
  /^\s*✓ (Starting|Ready|Running)\b/,
]

/**
 * Whether a line is what Next says of itself when it starts: its addresses are ours a second and a third time, with the
 * bind's number in place of the name that a person opens.
 * @param {string} line
 */
export const isNextBanner = (line) => banner.some((pattern) => pattern.test(line))
