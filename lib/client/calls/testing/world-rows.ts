import type { FileReview } from '@/lib/shared/tools/tool'

/** The review of a file that a slot's code created. */
export const reviewOf = (slot: number, path = `/out-${slot}`): FileReview => ({
  changes: [{ path, change: 'created', kind: 'file', size: 1 }],
  total: 1,
  texts: () => Promise.resolve({ before: null, after: 'x' }),
})
