import { textOfKey } from '@/lib/i18n/t'

/** What a file is, as `kindOfFile` names it, in the reader’s language. */
export const fileKindWords = (words: string): string => textOfKey(`file-kind.${words}`) ?? words
