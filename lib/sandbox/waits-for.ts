import type { RunProgress, SandboxEvent } from './sandbox'

/** What a run waits for before its code begins: its turn, or what its last progress says; '' when it waits for nothing. */
export function waitsFor(events: readonly SandboxEvent[]): string {
  const turn = events.findLast((event) => event.type === 'turn')
  if (turn?.waits) return 'Waiting for its turn'
  return events.findLast((event) => event.type === 'progress')?.text ?? ''
}

/** How much of it is here, where that is known. */
export const waitedPart = (events: readonly SandboxEvent[]): RunProgress | null =>
  events.findLast((event) => event.type === 'progress')?.part ?? null
