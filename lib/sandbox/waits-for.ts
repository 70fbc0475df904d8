import { t } from '@/lib/i18n/t'
import type { RunProgress, SandboxEvent } from './sandbox'

/** What a run waits for before its code begins: its turn, or what its last progress says; '' when it waits for nothing. */
export function waitsFor(events: readonly SandboxEvent[]): string {
  const turn = events.findLast((event) => event.type === 'turn')
  if (turn?.waits) return t('run.turn')
  const { doing = null, part } = events.findLast((event) => event.type === 'progress') ?? {}
  if (doing !== 'python-loads') return doing === null ? '' : t('run.python-starts')
  return t('run.python-loads', { done: megabytes(part?.done ?? 0), of: megabytes(part?.of ?? 0) })
}

/** Of which a download is told in. */
export const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

/** How much of it is here, where that is known. */
export const waitedPart = (events: readonly SandboxEvent[]): RunProgress | null =>
  events.findLast((event) => event.type === 'progress')?.part ?? null
