import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import { PAGE_MEMORY_BYTES, planMemory, checkWeights } from './weights/memory'

/**
 * Looks at a file before it becomes a model: the window that it will be loaded with, tokens.
 * @throws {AppError} where it is no model that can run here
 */
export async function examineFile(file: File): Promise<{ readonly windowTokens: number }> {
  const { name } = file
  const head = await checkWeights(file, name)
  if (head instanceof AppError) throw head
  const { windowTokens, bytes } = planMemory(head, file.size, null)
  if (bytes > PAGE_MEMORY_BYTES) {
    throw makeError('too-large', 'wllama.too-large', { name, needs: bytes, most: PAGE_MEMORY_BYTES })
  }
  return { windowTokens }
}
