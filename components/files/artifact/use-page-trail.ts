import { useState } from 'react'
import { type PageAddress, pageAddress, whereLinkLeads } from '@/lib/client/files/page/page-address'
import { type PageVisit, stopOf } from './use-page-frame'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { ReadableFiles } from './use-version'

/** The pages visited through links, and the current one. */
export interface PageTrail {
  readonly at: PageAddress
  /** Increases with each step: the same page again is another stop. */
  readonly step: number
  readonly before: PageAddress | null
  readonly after: PageAddress | null
  readonly go: (to: PageAddress) => void
  readonly back: () => void
  readonly forward: () => void
}

/** The most stops that are remembered. */
const maxStops = 50

/** Starts at the page with this path. */
export function usePageTrail(path: string): PageTrail {
  const [{ stops, index, step }, set] = useState({
    stops: [{ path, query: '', hash: '' }] as readonly PageAddress[],
    index: 0,
    step: 0,
  })
  const [at = { path, query: '', hash: '' }] = stops.slice(index)
  const move = (by: number) =>
    set((now) => ({ ...now, step: now.step + 1, index: Math.max(0, Math.min(now.stops.length - 1, now.index + by)) }))
  return {
    at,
    step,
    before: stops[index - 1] ?? null,
    after: stops[index + 1] ?? null,
    go: (to) =>
      set((now) => {
        const kept = [...now.stops.slice(0, now.index + 1), to].slice(-maxStops)
        return { stops: kept, index: kept.length - 1, step: now.step + 1 }
      }),
    back: () => move(-1),
    forward: () => move(1),
  }
}

/** State that stays while the user moves between pages. */
export interface ArtifactRun {
  /** Scripts may run, because the user pressed Run here or elsewhere. */
  readonly mayRun: boolean
  /** The user confirmed that this browser may hang with a page that never stops. */
  readonly mayHang: boolean
  readonly allow: () => void
  readonly allowHang: () => void
  readonly trail: PageTrail
  readonly scrolls: PageVisit['scrolls']
  /** Opens a file that is not a page. */
  readonly onOpen: (path: string) => void
}

interface PageLinksOptions {
  readonly vfs: ReadableFiles
  /** The path of the shown page. */
  readonly path: string
  /** The base of its relative addresses. */
  readonly base: string
  readonly run: Pick<ArtifactRun, 'trail' | 'scrolls' | 'onOpen'>
  readonly onSay: (words: string) => void
}

/** Handlers for links and forms that a running page reports. */
export interface FollowedLinks {
  readonly link: (address: string) => void
  readonly form: (address: string) => void
}

/** Follows links that a running page reports as pressed, and handles its submitted forms. */
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
      // A press in a frame counts as user activation of the surrounding page. Without a press, the page's own script
      // did it.
      if (wasPressed()) void lead(address).catch(() => {})
      else onSay(t('artifact.link.unasked', { path: asUntrusted(shown(address)) }))
    },
    form: (address) => onSay(t('artifact.form', { address: asUntrusted(address) })),
  }
}

/** If a browser can't tell, the page is trusted. */
const wasPressed = (): boolean => {
  const { userActivation } = navigator as { readonly userActivation?: UserActivation }
  return userActivation?.isActive ?? true
}
