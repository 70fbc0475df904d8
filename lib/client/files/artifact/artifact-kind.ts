/** What a file can be beside the chat: a page that may run, a picture, a text that is drawn. */
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

/** By the ending of its name; null: it is looked at in the workspace alone. */
export function artifactKind(path: string): ArtifactKind | null {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(kinds, ending) ? (kinds[ending] ?? null) : null
}

/** Whether a text may name such a file at all: cheap, for what asks of each call. */
export const mayNameArtifact = (text: string): boolean => /\.(?:html?|svg|md|markdown|mmd|mermaid)\b/i.test(text)

const order: readonly ArtifactKind[] = ['page', 'svg', 'diagram', 'markdown']

/** Those of the paths that are artifacts, pages first; where there is a page, all else is taken for a part of it. */
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
