import type { Arm } from '@/lib/lab/arm'
import { labSentence } from '@/lib/words/lab'

/** What an arm of a lab is called. */
export const armWords = ({ strategy, exact }: Arm): string => (exact ? labSentence('lab.arm', { strategy }) : strategy)
