/** Longer code is not highlighted, because that would block the page. */
export const MAX_COLOURED_LENGTH = 60_000
