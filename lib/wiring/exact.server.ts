import type { ExactPort } from '@/lib/chat/chat-service-ports'
import { createExactAsks } from '@/lib/chat/exact-asks'
import { prepareGrammars } from '@/lib/strategies/grammar-of'
import type { ExactDesk } from '@/lib/models/exact/exact-desk'

/**
 * Replies held to the form of their strategy: as each model's server is known, or found, to take it. With `breathe` what
 * all grammars need is made at once, so that no reply waits for it, and nobody else's.
 */
export function createExactPort(desk: ExactDesk, breathe?: () => Promise<void>): ExactPort {
  if (breathe) void prepareGrammars(breathe)
  return { desk, askOf: createExactAsks() }
}
