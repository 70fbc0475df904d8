import type { SandboxEvent } from './sandbox'

/** What a run waits for before its code begins: its turn, or what its last progress says; '' when it waits for nothing. */
export function waitsFor(events: readonly SandboxEvent[]): string {
  const turn = events.findLast((event) => event.type === 'turn')
  if (turn?.waits) return 'Waiting for its turn'
  return events.findLast((event) => event.type === 'progress')?.text ?? ''
}
