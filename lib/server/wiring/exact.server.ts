import type { ExactPort } from '@/lib/shared/prompt/exact-reply'
import { createReplyConstraints } from '@/lib/shared/prompt/constraint-requests'
import { prepareGrammars } from '@/lib/protocols/grammar-of'
import type { ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ModelId } from '@/lib/shared/models/model'

/** Constrained decoding of replies, as each model's server is known or detected to support it. */
export const createExactPort = (constrainedDecoding: ConstrainedDecoding): ExactPort => ({
  constrainedDecoding,
  askOf: createReplyConstraints(),
})

/**
 * Builds what all grammars need ahead, so that no reply waits for it. Only if one of these models may accept a grammar:
 * otherwise it would use 15 MB for nothing. `breathe` yields to other work.
 */
export async function prepareExact(
  constrainedDecoding: Pick<ConstrainedDecoding, 'of'>,
  models: readonly ModelId[],
  breathe: () => Promise<void>,
): Promise<void> {
  if (models.some((id) => constrainedDecoding.of(id) !== null)) await prepareGrammars(breathe)
}
