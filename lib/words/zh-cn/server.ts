import type { Translated } from '@/lib/base/reader'
import { wrongFormWordsZh } from './wrong-form'

export const serverZh: Readonly<Record<string, Translated>> = {
  'server.broken':
    '服务器出了问题。请重试；你的消息已保留。{request, select, null {} other {如果问题持续，请将此请求的名称告知服务器管理者：{request}}}',
  'server.wrong-host': '此服务器不响应你所使用的名称。请用它自己的地址打开，或将该名称加入 NOD_ALLOWED_HOSTS。',
  'server.access-needed': '此服务器需要先提供访问令牌。请重新加载页面。',
  'server.metrics-token': '指标仅供持有 NOD_METRICS_TOKEN 者访问（Authorization: Bearer）。',
  'server.other-site': '此请求来自其他网站，因此被拒绝。',
  'server.too-many-requests': '你或你所在的网络在短时间内请求过多。请等待 {seconds, seconds} 后重试。',
  'server.too-many-newcomers': '你所在的网络或整个服务器在短时间内新访客过多。请等待 {seconds, seconds} 后重试。',
  'server.too-many-bytes':
    '你所在的网络每天可存储 {limit, bytes}，今天的额度已用完。现在没有存储任何内容；你写的内容仍在这里。额度将在 {seconds, seconds}后（UTC 午夜）重新计算。',
  'server.draining': '服务器正在重启。正在生成的回复会完成；请不要再转来新的请求。',
  'server.updating': '服务器正在启动：正在更新数据库的表，第 {step, number} 步，共 {total, number} 步。请稍后再试。',
  'server.nothing-here': '此地址下没有内容。',
  'server.bad-address': '无法读取此请求的地址。请使用本服务器的路径和有效的转义。',
  'server.bad-method': '服务器不接受这种请求方法。',
  'server.no-picture': '没有这张图片。',
  'server.after-no-number': '`after` 必须是不小于 0 的整数。',
  'server.bad-place': '`after` 必须是上一页在 `next` 中给出的值。',
  'server.bad-last': '`last` 必须是 1 到 {most} 的整数。',
  'server.bad-ids': '`ids` 必须是以逗号分隔的消息 ID，最多 {most} 个。',
  'server.not-json': '请求必须是 JSON（application/json）。',
  'server.bad-json': '请求不是有效的 JSON。',
  'server.bad-utf8': '请求不是有效的 UTF-8。',
  'server.wrong-form': `请求不符合预期的格式{where, select, empty {} other {（位于 {where}）}}：${wrongFormWordsZh}。`,
  'server.too-large': '内容超过了一次可发送的 {maxBytes, bytes}。请缩短它。',
  'server.broke-off': '请求中断了。',
  'server.too-slow': '请求到达得太慢，已被放弃。请在网络更好时重试。',
  'server.busy': '服务器同时接收的数据太多。请稍后再试。',
  'server.settings-wrong': '此服务器的设置有误。详情见它的日志。',
  'server.secret-damaged': '{file} 中的密钥已损坏。删除该文件即可使用新的密钥。',
  'server.folder-not-writable': '数据文件夹 {folder} 无法写入。请将其设为可写，或设置 NOD_DATA_DIR。',
  'server.named-database-not-opened': '无法打开 DATABASE_URL 指定的数据库。请查看服务器日志。',
  'server.database-not-opened': '无法打开 {folder} 中的数据库。请查看服务器日志。',
}
