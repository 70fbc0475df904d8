const banner = [
  /^\s*▲ Next\.js/,
  /^\s*-\s+(Local|Network|Environments|Experiments)\b/,
  /^\s*✓ (Starting|Ready|Running)\b/,
]

/**
 * Whether a line belongs to Next's startup banner, which repeats our address, with the bind's IP address instead of the
 * name that a person opens.
 * @param {string} line
 */
export const isNextBanner = (line) => banner.some((pattern) => pattern.test(line))
