import type { Translated } from '@/lib/base/reader'

export const saidZh: Readonly<Record<string, Translated>> = {
  'said.review': '代码已运行。它对文件的更改等待你处理。',
  'said.finished': '回复已完成。',
  'said.finished-waiting': '回复已完成。{waiting}。',
  'said.asks': '{what}{name} 询问：{ask}',
  'said.empty': '{lacks, select, answer {回复在思考后结束，没有给出回答。} other {回复为空。}}',
  'said.stopped': '回复已停止。',
  'said.length': '回复被截断。',
  'said.failed': '回复失败。',
  'said.interrupted': '回复中断。',
  'said.result-waits': '{name} 的结果等待你处理。',
  'said.results-wait': '{count, number} 个调用的结果等待你处理。',
  'said.done': '{name} 已完成。',
  'said.not-done': '{name} 失败。',
  'said.calls-done': '{done, number} 个调用已完成。',
  'said.calls-failed': '{failed, number} 个调用失败。',
}
