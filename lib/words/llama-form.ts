import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'

/** What is said where a model is added that this browser runs by itself. */
const llamaFormWords = {
  'llama.about':
    'A GGUF model runs in this page by llama.cpp, and nothing of the chat goes to a model’s server. Every word takes this machine’s own work: small models (0.1 to 1 GB) suit.',
  'llama.file-about':
    'A file of your disk is read where it lies, and has to be picked again after a reload; a copy in this browser does not.',
  'llama.seen': ({
    name,
    bytes,
    keptBytes,
  }: {
    readonly name: string
    readonly bytes: number
    readonly keptBytes: number
  }) =>
    keptBytes === 0
      ? `${name}, ${formatBytes(bytes)}.`
      : keptBytes < bytes
        ? `${name}, ${formatBytes(bytes)}; ${formatBytes(keptBytes)} of it are here.`
        : `${name}, ${formatBytes(bytes)}; all of it is here.`,
  'llama.moving': '{done, bytes} of {total, bytes}',
  'llama.kept': ({
    bytes,
    keptBytes,
    isLoaded,
  }: {
    readonly bytes: number
    readonly keptBytes: number
    readonly isLoaded: boolean
  }) =>
    keptBytes < bytes
      ? `${formatBytes(keptBytes)} of ${formatBytes(bytes)} are here`
      : `${formatBytes(bytes)} in this browser${isLoaded ? ', loaded' : ''}`,
  'llama.failed': 'That did not work ({details}). Try again.',
} as const satisfies Catalogue

export const llamaSentence = sentencesOf(llamaFormWords)
