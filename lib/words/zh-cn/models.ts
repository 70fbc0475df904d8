import type { Translated } from '@/lib/base/reader'

export const modelsZh: Readonly<Record<string, Translated>> = {
  'models.not-offered': '{name} 不在此服务器提供的 {provider} 模型之中。请选择其他模型。',
  'models.unknown': '此服务器没有名为 {quoted} 的模型。请选择其他模型。',
}
