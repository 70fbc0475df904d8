/** Lets the page draw and be stopped while a large file is read. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve))
