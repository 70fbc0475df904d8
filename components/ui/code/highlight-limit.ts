/** Characters of code from which on colouring would hold up the page. */
export const MAX_COLOURED_LENGTH = 60_000
