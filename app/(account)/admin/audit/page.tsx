import { AdminFrame } from '@/components/admin/admin-frame'
import { AuditList } from '@/components/admin/audit-list'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery, administrator, PAGE_ROWS } from '../../account-pages'

export const generateMetadata = () => titledPage(() => t('admin.audit'))

export default async function AuditPage({ searchParams }: PageQuery) {
  const { accounts, account } = await administrator('/admin/audit')
  const after = textOf((await searchParams)['after'])
  const page = await accounts.listAudit(account, { limit: PAGE_ROWS, ...(after !== null && { after }) })
  const names = await accounts.namesOf(
    account,
    page.entries.flatMap(({ actor, target }) => [actor, target]),
  )
  return (
    <AdminFrame here="/admin/audit">
      <AuditList entries={page.entries} names={names} next={page.next} />
    </AdminFrame>
  )
}
