import type { Translated } from '@/lib/base/reader'

const out =
  'nod.config.json{part, select, provider { 中的第 {number} 个 provider} budget { 中的第 {number} 个 budget} other {}}{part, select, file { 整个文件} other {}}未被采用'
const it = '{place, select, empty {它} other {"{place}" }}'

export const configZh: Readonly<Record<string, Translated>> = {
  'config.no-json':
    'nod.config.json 不是 JSON{at, select, end {（内容提前结束）} place {（第 {line} 行第 {column} 列）} other {}}，因此整个文件未被采用。',
  'config.env-url': 'NOD_OPENAI_COMPATIBLE_URL 不是形如 {like} 的地址，因此没有采用该服务器。',
  'config.env-ollama': 'OLLAMA_HOST 不是形如 {like} 的地址，因此不会查找 Ollama。',
  'config.env-server':
    'NOD_OPENAI_COMPATIBLE_SERVER 不是以下任何一个：{names, list}，因此会通过询问来确定该服务器支持什么。',
  'config.form': `${out}：格式不正确。`,
  'config.unknown': `${out}：没有名为 {names, list} 的设置。`,
  'config.one-of': `${out}：${it}必须是以下之一：{names, list}。`,
  'config.type': `${out}：${it}的类型必须是 {type}。`,
  'config.id': `${out}："id" 只能包含小写字母、数字、"."、"_" 和 "-"，最多 40 个字符。`,
  'config.value': `${out}：${it}的值不可用（{code}）。`,
  'config.taken': `${out}：id "{id}" 已被占用；请换一个 "id"。`,
  'config.both-keys': `${out}：同时设置了 "key" 和 "keyEnv"。`,
  'config.server': `${out}："server" 用来说明 "openai-compatible" 是哪种服务器；请去掉它。`,
  'config.header': `${out}：不能在这里设置请求头 {name}，或它的值不能用于请求头。`,
  'config.header-unset': `${out}：请求头 {name} 使用的变量 {variable} 没有设置。`,
  'config.body': `${out}："body" 不能设置 {names, list}，它们由 Nod 设置。`,
  'config.url': `${out}："url" 必须是形如 {like} 的地址。`,
  'config.ollama-models': `${out}：会向 Ollama 询问它有哪些模型；请去掉 "models"。`,
  'config.ollama-key': `${out}：Ollama 不使用密钥；如果它前面需要密钥，请使用 "openai-compatible" 类型。`,
  'config.no-key': `${out}：需要密钥：请设置 {variable}，或在 "keyEnv" 中写出变量名。`,
  'config.key-unset': `${out}："keyEnv" 所指的变量 {variable} 没有设置。`,
}
