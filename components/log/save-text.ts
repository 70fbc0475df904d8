/** Gives the reader a text as a file to keep. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
