"""Statistics of balance runs: small pure modules, one per method (no files, no plots, no global random state).

Every function takes arrays or the `matches` / `cards` frames of a run and returns a frozen dataclass or a tidy
DataFrame. Effects are in win-rate points as fractions (0.02 = two points) unless a name says `logit` or `elo`.
`level` is the coverage of an interval, `seed` an int for the few functions that simulate. A *side* is one team of
one match; `score` is 1, 0.5 or 0.

Data flow of a report (frames may be fed chunk by chunk; nothing keeps rows of the `cards` table):

    tally   = cards.merge(cards.tally(m, c) for m, c in chunks);      table   = cards.metrics(tally) fit     =
    adjusted.fit(design.build(chunks));                     effects = adjusted.effects(fit) shrunk  =
    shrinkage.shrink(effects["effect"], effects["se"], groups) judged  = verdicts.judge(effects["effect"],
    effects["se"], shrunk["mean"], shrunk["sd"], effects["sides"], blocked=...)

Modules and their doors:

    intervals     Interval(estimate, low, high, se, n, level).covers/.shifted/.scaled; wilson(successes, n);
                  jeffreys(successes, n); cluster_mean(values, clusters); cluster_share(scores, clusters);
                  cluster_ratio(sums, counts, clusters); seat_standardised(rate_a, rate_b);
                  rate_interval(rate, se, units, quantile)
    moments       ClusterMoments: mergeable cluster sums with delta-method intervals of ratios and differences
    grouping      codes, group_means, cluster_blocks: small helpers
    sides         sides(matches), side_scores(...), deck_pair(matches)
    pairs         pair_scores(matches, candidate=None) -> frame; pentanomial(scores); summarise(frame) -> PairSummary
    cards         tally(matches, cards, window=, cluster=, by=) -> CardTally; merge(tallies); metrics(tally) -> frame
    design        build(chunks, cluster=, bots=, archetypes=) -> Design; assemble(counts, y, clusters, card_ids, ...)
    adjusted      fit(design) -> AdjustedFit; effects(fit) -> frame; terms(fit) -> frame (side, bots, archetypes)
    shrinkage     paule_mandel(effect, se, groups=); shrink(effect, se, groups=) -> frame;
                  rank_intervals(mean, sd, seed) -> frame
    fdr           adjust(p, method="bh"|"by"); p_values(effect, se)
    verdicts      judge(effect, se, mean, sd, games, band=, fdr=, minimum=, blocked=) -> frame; more_games(...);
                  placed(effect, games, band) -> verdict, more
    sprt          sprt(scores, s0, s1, ...) -> SprtResult; llr, llr_approx, llr_nelo; nelo, elo_from_score,
                  score_from_elo; expected_pairs, pairs_quantile; prefix_length(done)
    three_way     three_way(scores, inner, outer, ...) -> ThreeWay
    confidence_sequence   radius(sd, n, alpha, n_star); sequence(scores, alpha, n_star) -> frame
    power         fixed_games, fixed_power, detectable, standard_error, tost_pairs, tost_power, sequential_games,
                  random_deck_se, cost(effect, power, ...) -> Cost
    swap          head_to_head(pair_frame, copies=, seen=) -> SwapEffect; field(with_card, with_plain, ...);
                  seen_share(cards, card_id, window); per_draw(effect, seen)
    random_decks  inclusion_table(cards) -> sides, matrix, ids;
                  treatment_effects(scores, inclusion, clusters, card_ids, strata=, probabilities=, decks=) -> frame
                  (from a run folder: experiments.inclusion)
    synergy       contrast(both, only_first, only_second, neither) -> Interval; pair_effect(arms) -> PairEffect;
                  screen_pairs(scores, inclusion, card_ids, decks, strata=, probabilities=) -> frame
    rarity        group_table, equality, equivalence, trend, ramp, shape, targets (all take effects, groups or ranks,
                  and optional weights by copies played)
    price_line    fit_price_line(table, cost, covariates) -> PriceLine (curve, cards: residual, efficiency, worth)
    matchups      matrix(matches) -> MatchupMatrix; cell_table(matches); interval(matrix)
    equilibrium   nash(payoff); alpha_rank(payoff, alpha); alpha_sweep(payoff); inclusion(matrix, seed);
                  effective_decks(shares)
    cycles        cyclic_share(wins, games) -> CyclicShare
    pace          side_advantage(matches); side_by_matchup(matches);
                  first_mover(matches, randomised) -> Interval | None;
                  length(matches, measure); outcomes(matches); bounds(matches)
    momentum      swings(turns, matches) -> Swings; win_chances(turns, matches); fan(chances)
    choices       options(values); dead_hand_share(turns, matches); real_options(policies); value_gaps(values)
    ladder        rate(matches, anchor="random") -> Ladder (ratings, pairs)
    tiers         agreement(effects_by_tier, seed); interaction(effects_by_tier) -> labels per card
    dose_response fit_dose(x, scores, clusters=, wanted=) -> Dose
"""
