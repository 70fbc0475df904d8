/** A title as a file's name on any system; `ending` as `.md`. */
export function fileOfTitle(title: string, ending: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${plain.slice(0, 60).toWellFormed() || 'chat'}${ending}`
}
