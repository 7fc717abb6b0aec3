-- Who has chosen columns keeps them: the columns of notes are new and stay hidden until they are asked for.
update home_page_state set state = jsonb_set(state, '{hidden}', (state -> 'hidden') || '["*:delayReason", "*:score", "*:scoreRemark"]')
where jsonb_typeof(state -> 'hidden') = 'array';
