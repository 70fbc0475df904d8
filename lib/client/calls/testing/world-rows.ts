import type { FileReview } from '@/lib/shared/tools/tool'

/** A file that the code of a slot made. */
export const reviewOf = (slot: number, path = `/out-${slot}`): FileReview => ({
  changes: [{ path, change: 'created', kind: 'file', size: 1 }],
  total: 1,
  texts: () => Promise.resolve({ before: null, after: 'x' }),
})
