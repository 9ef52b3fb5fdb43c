/** Quotas of an account, and the bytes of all versions of its records and documents. */
export const quotas = `
alter table accounts add column quotas jsonb not null default '{}', add column stored_bytes bigint not null default 0;

update accounts set stored_bytes = stored.bytes
from (
  select account_id, sum(bytes) as bytes from (
    select account_id, octet_length(record)::bigint as bytes from changes
    where record is not null and kind not in ('account', 'key', 'person')
    union all
    select account_id, size from (
      select account_id, (record::jsonb ->> 'size')::bigint as size, record::jsonb ->> 'content_hash' as content_hash,
        lag(record::jsonb ->> 'content_hash') over (partition by account_id, id order by revision) as replaced_hash
      from changes where kind = 'document' and record is not null
    ) versions
    where content_hash is distinct from replaced_hash
  ) each
  group by account_id
) stored
where accounts.account_id = stored.account_id;
`
