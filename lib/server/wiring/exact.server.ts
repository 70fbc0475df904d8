import type { ExactPort } from '@/lib/shared/prompt/exact-reply'
import { createExactAsks } from '@/lib/shared/prompt/constraint-requests'
import { prepareGrammars } from '@/lib/protocols/grammar-of'
import type { ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ModelId } from '@/lib/shared/models/model'

/** Replies held to the form of their strategy: as each model's server is known, or found, to take it. */
export const createExactPort = (desk: ConstrainedDecoding): ExactPort => ({ desk, askOf: createExactAsks() })

/**
 * Makes what all grammars need, so that no reply waits for it, where one of these models may take a grammar: else it would
 * hold 15 MB for no one. `breathe` lets others have their turn.
 */
export async function prepareExact(
  desk: Pick<ConstrainedDecoding, 'of'>,
  models: readonly ModelId[],
  breathe: () => Promise<void>,
): Promise<void> {
  if (models.some((id) => desk.of(id) !== null)) await prepareGrammars(breathe)
}
