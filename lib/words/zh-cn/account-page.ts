import type { Translated } from '@/lib/base/reader'

export const accountPageZh: Readonly<Record<string, Translated>> = {
  'account.sign-in': '登录',
  'account.sign-in-why': '此浏览器中的对话会一并带入账户，之后在你登录的每台设备上都能看到。',
  'account.email': '电子邮件',
  'account.password': '密码',
  'account.password-least': '至少 10 个字符。',
  'account.with': '使用 {provider} 继续',
  'account.with-too': '也用 {provider} 登录',
  'account.proxy-alone': '由服务器前面的代理确认你的身份。请通过服务器的公开地址访问。',
  'account.forgotten': '忘记密码：请向服务器管理者索取设置新密码的链接。',
  'account.invite-only': '创建新账户需要邀请。',
  'account.without': '不使用账户继续',
  'account.arrived': '你已登录。',
  'account.go-on': '继续',

  'account.sign-up': '创建账户',
  'account.sign-up-why': '新账户会接管此浏览器中的对话；文件仍留在此浏览器中。',
  'account.sign-up-do': '创建账户',
  'account.sign-up-stopped': '无法创建账户',
  'account.invited': '此邀请只适用于这个地址。',
  'account.name': '名称',
  'account.name-hint': '可以留空。',
  'account.have-one': '我已有账户',

  'account.reset': '新密码',
  'account.reset-why': '设置后，此账户的所有会话都会结束；然后请用新密码登录。',
  'account.reset-do': '设置密码',

  'account.waits': '正在等待服务器回应…',
  'account.back': '返回对话',
  'account.about':
    '{email, select, null {由服务器前面的代理识别} other {{email}}}{admin, select, true { · 管理员} other {}}',
  'account.administration': '管理',
  'account.proxy': '通过代理登录',
  'account.proxy-why': '由服务器前面的代理确认你的身份。要退出登录，请在那里退出。',
  'account.provider': '你可以用 {provider} 登录。',
  'account.sessions': '已登录的位置',
  'account.this-browser': '此浏览器',
  'account.session':
    '最近活动：{seen, moment}{address, select, null {} other {，来自 {address}}}。登录时间：{since, moment}。',
  'account.sign-out': '退出登录',
  'account.sign-out-of': '退出登录：{device}',
  'account.sign-out-others': '退出其他所有登录',
  'account.sign-out-why':
    '下一个使用此浏览器的人看不到你的对话。文件、未发送的内容，以及此浏览器的模型及其密钥仍保存在此浏览器中，重新登录后即可看到。',
  'account.sign-out-here': '在此处退出登录',
  'account.sign-out-everywhere': '在所有位置退出登录',
  'account.password-now': '当前密码',
  'account.password-new': '新密码',
  'account.password-new-hint': '至少 10 个字符。其他所有会话都会结束。',
  'account.password-changed': '密码已更改，其他所有会话都已结束。',
  'account.password-change': '更改密码',
  'account.delete': '删除账户',
  'account.delete-why':
    '它在此服务器上的所有对话会立即从每台设备上删除，且无法恢复。请先导出想保留的内容。此浏览器会清除你未发送的内容、它的模型及其密钥，以及你的实验；对话的文件会留在创建它们的浏览器中，直到清除该网站的数据。',
  'account.delete-type': '输入 {email}',
  'account.delete-do': '删除账户及其对话',
  'account.forgets': '账户已删除。正在清除此浏览器中保存的相关内容…',
  'account.held':
    '账户及其对话已删除。Nod 的另一个标签页仍占用着此浏览器中保存的部分内容：请关闭其他标签页。剩余内容会在下次在此打开 Nod 时自动清除。',
}
