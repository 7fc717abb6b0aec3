-- Every changing call asks in which ways a person owns DUs of the project; who owned ten thousand of them paid 12 ms for each of his calls.
create index du_owner_user_kind on du_owner (user_id, owner_kind);
drop index du_owner_user;
