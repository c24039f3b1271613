"""Statistics of balance runs: small pure modules, one per method (no files, no plots, no global random state).

Every function takes arrays or the `matches` / `cards` frames of a run and returns a frozen dataclass or a tidy
DataFrame. Effects are in win-rate points as fractions (0.02 = two points) unless a name says `logit` or `elo`.
`level` is the coverage of an interval, `seed` an int for the few functions that simulate. A *side* is one team of
one match; `score` is 1, 0.5 or 0.

Data flow of a report (frames may be fed chunk by chunk; nothing keeps rows of the `cards` table):

    tally   = cards.merge(cards.tally(m, c) for m, c in chunks);      table  = cards.metrics(tally)
    fit     = adjusted.fit(adjusted.design(chunks));                  effects = adjusted.effects(fit)
    shrunk  = shrinkage.shrink(effects.effect, effects.se, groups);   judged  = verdicts.judge(...)

Modules and their doors:

    intervals    Interval(estimate, low, high, se, n); wilson(successes, n); jeffreys(successes, n);
                 cluster_mean(values, clusters); cluster_ratio(sums, counts, clusters); seat_standardised(rate_a,
                 rate_b)
    moments      ClusterMoments: mergeable cluster sums with delta-method intervals of ratios and differences
    pairs        pair_scores(matches, candidate=None) -> frame; pentanomial(scores); summarise(frame) -> PairSummary
    cards        tally(matches, cards, window=, cluster=, by=) -> CardTally; merge(tallies); metrics(tally) -> frame
    adjusted     design(chunks, ...) -> Design; fit(design) -> AdjustedFit; effects(fit) -> frame; terms(fit) -> frame
    shrinkage    paule_mandel(effect, se); shrink(effect, se, groups) -> frame; rank_intervals(mean, sd, seed)
    fdr          adjust(p, method="bh"); p_values(effect, se)
    verdicts     judge(effect, se, mean, sd, games, band, ...) -> frame; more_games(...)
    sprt         llr(counts, s0, s1); llr_approx; llr_nelo; sprt(scores, s0, s1); unit conversions; expected_pairs
    three_way    three_way(scores, inner, outer) -> ThreeWay
    confidence_sequence   radius(sd, n, alpha, n_star); sequence(scores, alpha, n_star) -> frame
    power        fixed_games(effect, ...); fixed_power(...); tost_pairs; tost_power; sequential_games; detectable(...)
    swap         head_to_head(pairs, copies, p_seen) -> SwapEffect; field(frame) -> SwapEffect; p_seen(...)
    random_decks treatment_effects(sides, inclusion, strata=, probabilities=) -> frame
    synergy      contrast(both, first, second, neither) -> Interval; screen_pairs(...)
    rarity       equality(...), equivalence(...), trend(...), shape(...), spreads(...), targets(...)
    price_line   fit_price_line(table, ...) -> PriceLine (curve, efficiency residuals, iso-power price)
    matchups     matrix(matches) -> MatchupMatrix (raw, shrunk, se, games)
    equilibrium  nash(payoff); alpha_rank(payoff, alpha); inclusion(matchups, seed); effective_decks(p)
    cycles       cyclic_share(matchups)
    pace         side_advantage(matches); first_mover(matches); length(matches); outcomes(matches); bounds(matches)
    momentum     snowball(turns, matches); comeback(...); decisiveness(...)
    choices      options(matches); dead_hands(cards)
    ladder       rate(table) -> Ladder (Elo with simultaneous intervals)
    tiers        agreement(effects_by_tier); interaction(...); labels(...)
    dose_response  fit_dose(x, successes, games) -> Dose (target, delta and Fieller interval)
"""
