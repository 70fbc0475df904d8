/** The kinds of files shown beside the chat: a page that may run, an image, a rendered text. */
export type ArtifactKind = 'page' | 'svg' | 'markdown' | 'diagram'

const kinds: Readonly<Record<string, ArtifactKind>> = {
  html: 'page',
  htm: 'page',
  svg: 'svg',
  md: 'markdown',
  markdown: 'markdown',
  mmd: 'diagram',
  mermaid: 'diagram',
}

/** Decided by the file's extension; null: it is shown in the workspace only. */
export function artifactKind(path: string): ArtifactKind | null {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(kinds, ending) ? (kinds[ending] ?? null) : null
}

/** Whether a text may name such a file at all. Cheap, because it is checked for each call. */
export const mayNameArtifact = (text: string): boolean => /\.(?:html?|svg|md|markdown|mmd|mermaid)\b/i.test(text)

const order: readonly ArtifactKind[] = ['page', 'svg', 'diagram', 'markdown']

/** Returns those of the paths that are artifacts, pages first; if there is a page, all others count as parts of it. */
export function artifactsAmong(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    const kind = artifactKind(path)
    return kind === null ? [] : [{ path, kind }]
  })
  const pages = found.filter(({ kind }) => kind === 'page')
  return (pages.length > 0 ? pages : found)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path)
}
