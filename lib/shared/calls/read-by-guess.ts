import type { CallSegment } from '@/lib/protocols/types/segment'

/**
 * Where a value ends was guessed, because quotation marks inside it were not escaped. Such a call is shown beside what was
 * written, and runs by a click on its own card only.
 */
export const isReadByGuess = (call: Pick<CallSegment, 'repairs'>): boolean => call.repairs.includes('bare-quote')
