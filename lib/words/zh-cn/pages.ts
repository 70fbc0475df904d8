import type { Translated } from '@/lib/base/reader'

export const pagesZh: Readonly<Record<string, Translated>> = {
  'page.title': '{name} · Nod',
  'page.playground': '试验台',
  'page.lab': '调用格式实验室',
  'page.signed-in': '已登录',
  'page.account': '账户',

  'page.not-found': '未找到',
  'page.not-found-why': '没有这个页面',
  'page.to-chats': '前往你的对话',

  'page.access': '访问',
  'page.access-head': '此服务器不对所有人开放',
  'page.access-why': '请向服务器管理者索取访问令牌。在此浏览器中只需输入一次。',
  'page.access-token': '访问令牌',
  'page.access-wrong': '这不是此服务器的令牌。请检查是否漏了字符，或询问服务器管理者。',
  'page.access-wait': '输入错误令牌的次数过多。请等待一分钟后再试。',
  'page.access-do': '进入',

  'page.licences': '许可证',
  'page.licences-back': '返回对话',
  'page.licences-none': '许可证信息在构建时生成，而此服务器运行的不是构建版本。',
  'page.licences-about':
    'Nod {version} 包含他人的 {count} 个软件包。此服务器交给浏览器的全部软件包都在这里：用于页面、其 worker 和沙箱。',
  'page.licences-facts': '{version} · {licence}',
  'page.licences-served': '用于 {files, list}。',
}
