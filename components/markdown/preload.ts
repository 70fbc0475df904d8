/** Loads the Markdown reader ahead of the first message. */
export const preloadMarkdown = (): void => {
  import('./markdown-blocks').catch(() => {
    // The next use asks again.
  })
}
