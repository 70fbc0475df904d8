import type { Vfs } from '@/lib/vfs/vfs'

/** Where an address of a page leads in the workspace. */
export interface PageAddress {
  /** Absolute, as a path of the workspace: percent-encoding is undone. */
  readonly path: string
  /** With its `?`, or ''. */
  readonly query: string
  /** With its `#`, or ''. */
  readonly hash: string
}

/** The origin of a workspace as modules hear of it (`import.meta.url`); nothing is ever asked for there. */
export const workspaceOrigin = 'http://workspace.invalid'

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** A file of the workspace as an absolute address. */
export const addressOfPath = (path: string): string => `${workspaceOrigin}${encoded(path)}`

/**
 * What an address means in the file at `from`; null when it leaves the workspace.
 * @param frame the address of the frame that runs the page, where one does: scripts that complete an address by themselves
 *   (`document.baseURI`, `link.href`) complete it with this one, and mean the folder of the page
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

/** As browsers read a path: what is no encoding stands for itself (`100%.png`). */
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

/** Addresses that name no file: they carry what they mean, or belong to the page itself. */
export const isOwnAddress = (address: string): boolean => /^\s*(?:data:|blob:|about:|javascript:|#|$)/i.test(address)

/**
 * The paths that may be meant, the likelier one first. A page in a folder says `/style.css` and means the top of its site, which
 * is that folder.
 */
export function pathsMeant(address: string, { path }: PageAddress, page: string): readonly string[] {
  const folder = page.slice(0, page.lastIndexOf('/'))
  const isFromTop = /^[/\\]/.test(address.trim()) || /^[a-z][a-z\d+.-]*:/i.test(address.trim())
  return isFromTop && folder !== '' && !path.startsWith(`${folder}/`) ? [path, `${folder}${path}`] : [path]
}

/** Whether a path is that of a page. */
export const isPage = (path: string): boolean => /\.html?$/i.test(path)

/** The paths of a page that a link may mean: a folder means its first page, and a name without ending the page of that name. */
export const pagesMeant = (path: string): readonly string[] =>
  path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]

/** What a link, or a form, of a page means in the workspace. */
type LinkTarget =
  | { readonly kind: 'page' | 'file' | 'missing'; readonly at: PageAddress }
  /** It leads out of the workspace. */
  | { readonly kind: 'outside' }

/**
 * @param page absolute path of the page in which the link stands
 * @param base what its addresses count from
 */
export async function whereLinkLeads(
  vfs: Pick<Vfs, 'read'>,
  address: string,
  { page, base }: { readonly page: string; readonly base: string },
): Promise<LinkTarget> {
  // What names no file means the page itself.
  const meant = /^\s*(?:$|[?#])/.test(address) ? pageAddress(address.trim(), page) : pageAddress(address, base)
  if (meant === null) return { kind: 'outside' }
  for (const path of pathsMeant(address, meant, page).flatMap(pagesMeant)) {
    const found = await vfs.read(path)
    if (found.ok) return { kind: isPage(path) ? 'page' : 'file', at: { ...meant, path } }
  }
  return { kind: 'missing', at: meant }
}
