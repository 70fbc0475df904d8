import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { pageAddress, whereLinkLeads } from '@/lib/client/files/page/page-address'
import type { ArtifactRun } from './artifact-run'
import { stopOf } from './use-page-frame'
import type { ReadableFiles } from './use-version'

export interface PageLinksOptions {
  readonly vfs: ReadableFiles
  /** Of the page that is shown. */
  readonly path: string
  /** What its addresses count from. */
  readonly base: string
  readonly run: Pick<ArtifactRun, 'trail' | 'scrolls' | 'onOpen'>
  readonly onSay: (words: string) => void
}

/** What becomes of links and forms that a running page tells of. */
export interface FollowedLinks {
  readonly link: (address: string) => void
  readonly form: (address: string) => void
}

/** What becomes of a link that a running page says was pressed, and of a form that it says was sent. */
export function usePageLinks({ vfs, path, base, run, onSay }: PageLinksOptions): FollowedLinks {
  const shown = (address: string) => pageAddress(address, base)?.path ?? address
  const lead = async (address: string) => {
    const target = await whereLinkLeads(vfs, address, { page: path, base })
    if (target.kind === 'outside') return onSay(t('artifact.link', { address: asUntrusted(address) }))
    const { at } = target
    if (target.kind === 'missing') return onSay(t('artifact.link.missing', { path: asUntrusted(at.path) }))
    if (target.kind === 'file') return run.onOpen(at.path)
    run.scrolls.delete(stopOf(at))
    run.trail.go(at)
  }
  return {
    link: (address) => {
      // A press in a frame counts for the page around it. What nobody pressed is the page's own idea.
      if (wasPressed()) void lead(address).catch(() => {})
      else onSay(t('artifact.link.unasked', { path: asUntrusted(shown(address)) }))
    },
    form: (address) => onSay(t('artifact.form', { address: asUntrusted(address) })),
  }
}

/** Where a browser can't tell, the page is believed. */
const wasPressed = (): boolean => {
  const { userActivation } = navigator as { readonly userActivation?: UserActivation }
  return userActivation?.isActive ?? true
}
