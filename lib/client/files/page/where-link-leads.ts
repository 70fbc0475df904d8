import type { Vfs } from '@/lib/vfs/vfs'
import { isPage, pageAddress, pagesMeant, pathsMeant, type PageAddress } from './page-address'

/** What a link, or a form, of a page means in the workspace. */
export type LinkTarget =
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
