import type { VfsError, VfsResult } from '@/lib/vfs/vfs'
import type { Answer, AnswerValue } from './frame/protocol'

export const good = (value: AnswerValue = null): Answer => ({ ok: true, value })
export const bad = (code: string, message: string): Answer => ({ ok: false, code, message })
export const failed = ({ code, message }: VfsError): Answer => bad(code, message)

export const answerOf = <T>(result: VfsResult<T>, value: (value: T) => AnswerValue): Answer =>
  result.ok ? good(value(result.value)) : failed(result.error)

export const nothing = (): null => null
