-- Why a re-planning moved a job: the kind of change (0 = it has not moved), and the DU whose input it was.
alter table engine_out_du add column causes smallint[];
alter table engine_out_du add column cause_dus bigint[];
