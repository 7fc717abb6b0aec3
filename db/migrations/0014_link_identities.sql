-- An account is linked to the subject of an identity provider at its first sign-in there; names and addresses may change afterwards, the subject may not.
create table user_identity (
  issuer varchar(500) not null,
  subject varchar(255) not null,
  user_id bigint not null references app_user,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  constraint user_identity_user unique (issuer, user_id)
);
