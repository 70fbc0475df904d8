import type { SandboxEvent } from './sandbox'

/** What a run waits for before its code begins, as its last progress says; '' when it waits for nothing. */
export const waitsFor = (events: readonly SandboxEvent[]): string =>
  events.findLast((event) => event.type === 'progress')?.text ?? ''
