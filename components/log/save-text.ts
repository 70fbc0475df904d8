/** Gives the reader a text as a file to keep. */
export const saveText = (name: string, text: string): void =>
  saveBlob(name, new Blob([text], { type: 'application/json' }))

/** Gives the reader a file to keep. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A title as a file's name on any system; `ending` as `.md`. */
export function fileOfTitle(title: string, ending: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${plain.slice(0, 60).toWellFormed() || 'chat'}${ending}`
}
