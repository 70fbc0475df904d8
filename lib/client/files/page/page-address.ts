import type { Vfs } from '@/lib/vfs/vfs'

/** The target of a page's address in the workspace. */
export interface PageAddress {
  /** Absolute, as a path of the workspace, with percent-encoding decoded. */
  readonly path: string
  /** With its `?`, or ''. */
  readonly query: string
  /** With its `#`, or ''. */
  readonly hash: string
}

/** The origin of a workspace that modules see (`import.meta.url`); nothing is ever requested from it. */
export const workspaceOrigin = 'http://workspace.invalid'

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** A file of the workspace as an absolute address. */
export const addressOfPath = (path: string): string => `${workspaceOrigin}${encoded(path)}`

/**
 * Resolves an address in the file at `from`; null if it leaves the workspace.
 * @param frame the address of the frame that runs the page, if there is one: scripts that complete an address
 * themselves (`document.baseURI`, `link.href`) use it, and mean the folder of the page
 */
export function pageAddress(address: string, from: string, frame?: string): PageAddress | null {
  const base = addressOfPath(from)
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (url === null) return null
  if (url.origin === workspaceOrigin) return { path: decoded(url.pathname), query: url.search, hash: url.hash }
  if (frame === undefined || url.origin !== new URL(frame).origin) return null
  const folder = new URL('.', frame).pathname
  return url.pathname.startsWith(folder)
    ? pageAddress(`${url.pathname.slice(folder.length)}${url.search}${url.hash}`, from)
    : { path: decoded(url.pathname), query: url.search, hash: url.hash }
}

/** Decodes a path as browsers do: invalid encodings stay as they are (`100%.png`). */
const decoded = (pathname: string): string =>
  pathname
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
    .join('/')
    .normalize('NFC')

/** Addresses that name no file: they contain their data, or refer to the page itself. */
export const isOwnAddress = (address: string): boolean => /^\s*(?:data:|blob:|about:|javascript:|#|$)/i.test(address)

/**
 * The possible paths, the likelier one first. A page in a folder says `/style.css` and means the top of its site, which
 * is that folder.
 */
export function possiblePaths(address: string, { path }: PageAddress, page: string): readonly string[] {
  const folder = page.slice(0, page.lastIndexOf('/'))
  const isFromTop = /^[/\\]/.test(address.trim()) || /^[a-z][a-z\d+.-]*:/i.test(address.trim())
  return isFromTop && folder !== '' && !path.startsWith(`${folder}/`) ? [path, `${folder}${path}`] : [path]
}

/** Whether a path is that of a page. */
export const isPage = (path: string): boolean => /\.html?$/i.test(path)

/**
 * The paths of a page that a link may refer to: a folder refers to its index page, and a name without extension to the
 * page of that name.
 */
export const possiblePages = (path: string): readonly string[] =>
  path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]

/** The target of a page's link or form in the workspace. */
type LinkTarget =
  | { readonly kind: 'page' | 'file' | 'missing'; readonly at: PageAddress }
  /** It leads out of the workspace. */
  | { readonly kind: 'outside' }

/**
 * @param page absolute path of the page that contains the link
 * @param base what its addresses are resolved against
 */
export async function linkTargetOf(
  vfs: Pick<Vfs, 'read'>,
  address: string,
  { page, base }: { readonly page: string; readonly base: string },
): Promise<LinkTarget> {
  // An address without a file name refers to the page itself.
  const meant = /^\s*(?:$|[?#])/.test(address) ? pageAddress(address.trim(), page) : pageAddress(address, base)
  if (meant === null) return { kind: 'outside' }
  for (const path of possiblePaths(address, meant, page).flatMap(possiblePages)) {
    const found = await vfs.read(path)
    if (found.ok) return { kind: isPage(path) ? 'page' : 'file', at: { ...meant, path } }
  }
  return { kind: 'missing', at: meant }
}
