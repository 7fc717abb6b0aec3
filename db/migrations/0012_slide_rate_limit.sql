-- The moments of the calls of the last minute, so that no burst across a full minute gets through twice.
drop table rate_limit;
create unlogged table rate_limit (
  bucket varchar(200) primary key,
  hits timestamptz[] not null,
  refused boolean not null,
  at timestamptz not null
);
