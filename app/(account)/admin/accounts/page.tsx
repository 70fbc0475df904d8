import { AccountList } from '@/components/admin/account-list'
import { AdminFrame } from '@/components/admin/admin-frame'
import { shownAddress } from '@/lib/server/accounts/admin-actions'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery, administrator, PAGE_ROWS } from '../../account-pages'

export const generateMetadata = () => titledPage(() => t('admin.accounts'))

export default async function AccountsPage({ searchParams }: PageQuery) {
  const { accounts, account } = await administrator('/admin/accounts')
  const params = await searchParams
  const query = (textOf(params['q']) ?? '').trim().slice(0, 200)
  const after = textOf(params['after'])
  const page = await accounts.listAccounts(account, query, { limit: PAGE_ROWS, ...(after !== null && { after }) })
  return (
    <AdminFrame here="/admin/accounts">
      <AccountList
        // A different page is a different list, so results of actions on the previous one are dropped.
        key={`${query} ${after}`}
        accounts={page.accounts.map(({ id, name, email, role, createdAt, disabledAt }) => ({
          id,
          name,
          email: shownAddress(email),
          role,
          createdAt,
          isDisabled: disabledAt !== null,
          isMe: id === account.id,
        }))}
        total={page.total}
        query={query}
        next={page.next}
        isFirst={after === null}
        hasPasswords={accounts.offered.password}
      />
    </AdminFrame>
  )
}
