"""What the registers of a frame mean, by its kind (`layout.FRAME`)."""

# registers of a program frame
R_X, R_BOUND, R_IT, R_EV, R_DAMAGE, R_INJURY, R_HP, R_COUNT, R_TOTAL, R_MARGIN, R_MAIN, R_REPEAT = range(12)
# registers of a window frame
W_DAMAGE, W_INJURY, W_AMOUNT, W_COST, W_ATTACK, W_GROUP, W_TAKEN, W_PARENT, W_CHECK, W_FROM, W_AT = range(11)
# registers of an attack frame
A_DAMAGE, A_INJURY, A_VICTIM, A_DICE, A_MAIN, A_CRITICAL, A_STOP, A_BONUS, A_LOW, A_TECHNIQUE, A_HP, A_HIGH = range(12)
A_FACE = A_VICTIM  # before the victims: the face chosen for the main die, 0 none
# bits of A_STOP: the attack is negated, its card's text does not resolve (R8.8); above them 1 + whose DMG is negated
STOP_ATTACK, STOP_TEXT, STOP_DAMAGE = 1, 2, 4
# registers of a check frame
C_ATTR, C_KNOW, C_DIFFICULTY, C_RESULT, C_BONUS, C_PARENT, C_MAIN, C_FAIL, C_PAID, C_FORCED, C_KEPT, C_BASE = range(12)
C_FACE = C_MAIN  # before the roll: the face chosen for its die, 0 none
